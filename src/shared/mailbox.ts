/** Stands for the e-mail of a caller who has none: in a domain that no mail server ever accepts (RFC 2606). */
export const noMailbox = (id: string) => `${id}${withoutMailbox}`

/** How such an e-mail ends. */
export const withoutMailbox = '@sin-correo.invalid'

export const hasMailbox = (email: string) => !email.endsWith(withoutMailbox)

/** An e-mail as people read it. */
export const shownEmail = (email: string) => (hasMailbox(email) ? email : 'Sin correo')
