/** An address of ours that redirects to `next` once it is done. */
export const withNext = (to: string, next: string | null): string =>
  next === null ? to : `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ next })}`

/** What an address of /signin says of a session that expired, or ended elsewhere. */
export const endedParam = 'sesion'
export const endedValue = 'terminada'

/** Where a user with an account signs in. With an invitation's code, they return to its link, and from there home. */
export const signInPath = (code: string | null) =>
  code === null
    ? '/signin'
    : `/signin?${new URLSearchParams({ next: `/signup?${new URLSearchParams({ invitacion: code })}` })}`
