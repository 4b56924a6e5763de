/** Where whoever has an account signs in; with an invitation's code, they come back to its link, which leads them home. */
export const signInPath = (code: string | null) =>
  code === null
    ? '/signin'
    : `/signin?${new URLSearchParams({ next: `/signup?${new URLSearchParams({ invitacion: code })}` })}`
