/** A cookie that scripts may set: whether a device folds the sidebar. */
export const menuFoldCookie = 'carga.menu'

/** A cookie that scripts may set: whether a device has shortcuts of one key switched off (WCAG 2.1.4). */
export const singleKeysCookie = 'carga.keys'

/** Whether the shortcuts of one key act. */
export const areSingleKeysOn = (cookies: string) => cookieIn(cookies, singleKeysCookie) !== 'no'

/** A cookie of a device whose user switched high contrast on. */
export const contrastCookie = 'carga.contraste'

/** Whether a device shows everything in high contrast. */
export const isContrastHigh = (cookies: string) => cookieIn(cookies, contrastCookie) === 'alto'

/** For how long a device keeps such a choice, in seconds. */
export const choiceLife = 31_536_000

/** The value of a cookie among a page's or a request's, by its https name first; empty without it. */
export function cookieIn(cookies: string, name: string): string {
  const value = (sent: string) =>
    cookies
      .split('; ')
      .find((cookie) => cookie.startsWith(`${sent}=`))
      ?.slice(sent.length + 1)
  return value(`__Host-${name}`) ?? value(name) ?? ''
}
