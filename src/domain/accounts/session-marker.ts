/** A cookie that scripts may read: it says only that the session is another one than before, never whose it is. */
export const markerCookie = 'carga.who'

/** The marker among a page's or a request's cookies, by its https name first; empty when signed out. */
export function markerIn(cookies: string): string {
  const value = (name: string) =>
    cookies
      .split('; ')
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  return value(`__Host-${markerCookie}`) ?? value(markerCookie) ?? ''
}
