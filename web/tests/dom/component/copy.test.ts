/** What a button that copies says afterwards. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startLanguage } from "../../../src/i18n/language.svelte";
import CopyButton from "../../../src/ui/CopyButton.svelte";

const LINK = "http://192.168.0.7:8000/t/abc";
const writeText = vi.fn<(text: string) => Promise<void>>();
const execCommand = vi.fn<() => boolean>();
let selected = "";

beforeAll(() => startLanguage("en"));
beforeEach(() => {
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  writeText.mockReset().mockResolvedValue();
  execCommand.mockReset().mockImplementation(() => {
    const field = document.activeElement as HTMLTextAreaElement;
    selected = field.value.slice(field.selectionStart, field.selectionEnd);
    return true;
  });
  document.execCommand = execCommand;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function press() {
  render(CopyButton, { text: () => LINK, label: "Copy the link" });
  await fireEvent.click(screen.getByRole("button", { name: "Copy the link" }));
}

describe("a button that copies", () => {
  it("says that it has copied", async () => {
    await press();
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(LINK);
  });

  it("copies what it selects where there is no clipboard, as over plain http", async () => {
    vi.stubGlobal("navigator", {});
    await press();
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
    expect([selected, document.querySelector("textarea")]).toEqual([LINK, null]);
  });

  it("does so, too, where the clipboard is refused", async () => {
    writeText.mockRejectedValue(new DOMException("", "NotAllowedError"));
    await press();
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  });

  it("says that it could not, and offers the text selected", async () => {
    vi.stubGlobal("navigator", {});
    execCommand.mockReturnValue(false);
    await press();
    expect((await screen.findByRole("alert")).textContent).toContain("could not be copied");
    const field = screen.getByRole<HTMLInputElement>("textbox");
    expect([field.value, document.activeElement]).toEqual([LINK, field]);
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe(LINK);
    expect(screen.getByRole("button", { name: "Copy the link" })).toBeTruthy();
  });
});
