/** An address of ours that leads on to `next` once it is done with. */
export const withNext = (to: string, next: string | null): string =>
  next === null ? to : `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ next })}`
