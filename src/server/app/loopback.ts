/** Whether a name or an address is this very machine's, so that nobody else can ask there. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether an address of a page is. */
export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname)
