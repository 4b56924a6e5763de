/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export function findChromium(): string | undefined
/**
 * The same browser without windows (headless shell), if available: a story costs a third less work in it. Else the full
 * one.
 */
export function findShell(): string | undefined
/** Installs Debian's Chromium where there is none, or Playwright's elsewhere; with Debian's also its headless shell. */
export function ensureChromium(): void
/** The system's coturn (TURNSERVER names another); undefined where there is none. */
export function findTurnserver(): string | undefined
/** Installs coturn for the call stories where possible; elsewhere the stories that need it are skipped. */
export function ensureTurnserver(): void
