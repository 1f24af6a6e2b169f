"""The few words that the page itself adds to a statement, in the languages that we write."""

from collections.abc import Mapping

_ENGLISH = {
    "time_limit": "Time limit",
    "memory_limit": "Memory limit",
    "seconds": "s",
    "sample": "Sample",
    "input": "Input",
    "output": "Output",
    "copy": "Copy",
    "copied": "Copied",
    "source": "Source",
    "authors": "Authors",
}
_JAPANESE = {
    "time_limit": "実行時間制限",
    "memory_limit": "メモリ制限",
    "seconds": "秒",
    "sample": "入出力例",
    "input": "入力",
    "output": "出力",
    "copy": "コピー",
    "copied": "コピーしました",
    "source": "出典",
    "authors": "作者",
}
_INDONESIAN = {
    "time_limit": "Batas waktu",
    "memory_limit": "Batas memori",
    "seconds": "detik",
    "sample": "Contoh",
    "input": "Masukan",
    "output": "Keluaran",
    "copy": "Salin",
    "copied": "Tersalin",
    "source": "Sumber",
    "authors": "Penulis",
}
_LABELS = {"en": _ENGLISH, "ja": _JAPANESE, "id": _INDONESIAN}


def labels_for(language: str) -> Mapping[str, str]:
    """The labels in `language` (a code such as `ja` or `pt-BR`), English where we have none."""
    return _LABELS.get(language.partition("-")[0], _ENGLISH)
