/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export function findChromium(): string | undefined
/** The same browser without its windows, where it is: a story costs a third less work in it. Else the whole one. */
export function findShell(): string | undefined
/** Installs Debian's Chromium where there is none, or Playwright's elsewhere; and beside Debian's the one without windows. */
export function ensureChromium(): void
