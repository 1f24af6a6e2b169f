"""The labels that pages add to a statement, in several languages."""

from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a language."""

    time_limit: str
    memory_limit: str
    seconds: str
    sample: str
    input: str
    output: str
    copy: str
    copied: str
    source: str
    authors: str


_ENGLISH = Labels(
    time_limit="Time limit",
    memory_limit="Memory limit",
    seconds="s",
    sample="Sample",
    input="Input",
    output="Output",
    copy="Copy",
    copied="Copied",
    source="Source",
    authors="Authors",
)
_JAPANESE = Labels(
    time_limit="実行時間制限",
    memory_limit="メモリ制限",
    seconds="秒",
    sample="入出力例",
    input="入力",
    output="出力",
    copy="コピー",
    copied="コピーしました",
    source="出典",
    authors="作者",
)
_INDONESIAN = Labels(
    time_limit="Batas waktu",
    memory_limit="Batas memori",
    seconds="detik",
    sample="Contoh",
    input="Masukan",
    output="Keluaran",
    copy="Salin",
    copied="Tersalin",
    source="Sumber",
    authors="Penulis",
)


def labels_for(language: str) -> Labels:
    """Return the labels of a language code such as `ja` or `pt-BR`, else the English ones."""
    return {"ja": _JAPANESE, "id": _INDONESIAN}.get(language.partition("-")[0], _ENGLISH)
