"""Questions in Vietnamese about everyday techniques, and replies with some words that a policy may write in Chinese."""

import random

from benchmarks.foreign.thirtythird.policy import Task

THEMES = {
    "máy chủ web": ("xử lý các yêu cầu", "lưu nhật ký", "cần chứng chỉ", "chia tải cho nhiều máy"),
    "cà phê phin": ("cần nước gần sôi", "nhỏ giọt chậm", "dùng bột xay vừa", "uống với sữa đặc"),
    "xe đạp điện": ("sạc qua đêm", "đi được bốn mươi cây số", "cần kiểm tra phanh", "nặng hơn xe thường"),
    "cây ớt": ("thích nắng", "tưới vào buổi sáng", "cần đất thoát nước", "ra quả sau hai tháng"),
    "sao lưu dữ liệu": ("giữ ba bản", "để một bản ở nơi khác", "thử khôi phục", "đặt lịch hằng tuần"),
    "áo dài": ("may theo số đo", "dùng lụa mềm", "mặc trong ngày lễ", "giặt bằng tay"),
    "nước mắm": ("ủ từ cá cơm", "mất cả năm", "nếm trước khi nêm", "để nơi mát"),
    "lập trình nhóm": ("viết kiểm thử trước", "xem mã của nhau", "chia việc nhỏ", "ghi lại quyết định"),
}
ASKS = (
    "Hãy giải thích về {t}.",
    "Người mới cần biết gì về {t}?",
    "Cho tôi vài lời khuyên về {t}.",
    "Tại sao {t} quan trọng?",
)
LINKS = ("Trước hết,", "Ngoài ra,", "Trong thực tế,", "Điều quan trọng là", "Sau đó,")
ENDS = {
    "như vậy sẽ bớt {w} hơn": ("phức tạp", "复杂"),
    "và điều đó rất {w}": ("quan trọng", "重要"),
    "để tránh {w}": ("lãng phí", "浪费"),
    "và cách làm khá {w}": ("đơn giản", "简单"),
    "và ai cũng có thể thử {w}": ("tại nhà", "在家"),
    "vì nhiều việc diễn ra {w}": ("đồng thời", "同时"),
}


def questions(rng: random.Random) -> list[Task]:
    """All questions, in a shuffled order."""
    pairs = [(theme, ask) for theme in THEMES for ask in ASKS]
    rng.shuffle(pairs)
    return [Task(f"vi-{i:02d}", ask.format(t=t), "", t, rng.gauss(0, 1)) for i, (t, ask) in enumerate(pairs)]


def reply(rng: random.Random, task: Task, quality: float, foreign: float) -> tuple[str, float]:
    """A reply, and the share of the theme's points that it makes."""
    points = THEMES[task.family]
    made = [point for point in rng.sample(points, 4) if rng.random() < quality] or [rng.choice(points)]
    lines = [f"{rng.choice(('Về', 'Nói về', 'Với'))} {task.family}, đây là vài điều cần nhớ."]
    mixed = rng.random() < foreign
    for point in made:
        end = rng.choice([*ENDS])
        word = ENDS[end][mixed and rng.random() < 0.7]
        lines.append(f"{rng.choice(LINKS)} {task.family} {point}, {end.format(w=word)}.")
    lines.append(rng.choice(("Chúc bạn thành công.", "Nếu cần, tôi có thể nói thêm.", "Hy vọng điều này có ích.")))
    return " ".join(lines), len(made) / 4
