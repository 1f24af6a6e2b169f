for (const button of document.querySelectorAll("figcaption button")) {
  button.addEventListener("click", async () => {
    const pre = button.closest("figure").querySelector("pre");
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(pre.textContent);
    } catch {
      // Pages opened from disk may lack the clipboard: select the text, so that one keystroke copies it.
      getSelection().selectAllChildren(pre);
      return;
    }
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}
