/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export function findChromium(): string | undefined
/** Installs a Chromium where there is none, and beside the whole one of Debian the one without windows. */
export function ensureChromium(): void
