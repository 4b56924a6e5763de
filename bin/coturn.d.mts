/** The system's coturn (TURNSERVER names another); undefined where there is none. */
export function findTurnserver(): string | undefined
/** Installs coturn for the stories of calls where that is possible; elsewhere the stories that need it are skipped. */
export function ensureTurnserver(): void
