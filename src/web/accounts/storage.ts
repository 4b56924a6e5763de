/** Whether this browser keeps our cookies: by trying, since one that was told to keep none may still say that it does. */
export function keepsCookies(): boolean {
  if (!navigator.cookieEnabled) return false
  const probe = 'carga.probe=1'
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous, and not in every browser.
  document.cookie = `${probe}; SameSite=Lax`
  const kept = document.cookie.includes(probe)
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = 'carga.probe=; Max-Age=0'
  return kept
}

/** Where a browser forbids its storages, even to look at them is an error that stops the router: these hold for one page. */
export function standInForStorage(): void {
  for (const name of ['sessionStorage', 'localStorage'] as const)
    try {
      void window[name]
    } catch {
      Object.defineProperty(window, name, { value: forOnePage() })
    }
}

function forOnePage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
