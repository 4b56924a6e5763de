/** The path of an invitation's link, with the code if there is one and the token of its owner. */
export function inviteLink(token: string, code: string | null): string {
  const query = new URLSearchParams({ ...(code && { codigo: code }), registro: token })
  return `/approach?${query}`
}

/** What goes out with a link by WhatsApp, in the ally's own name. */
export const inviteMessage = (brand: string, address: string) =>
  `Hola, te comparto el enlace para instalar en casa el cargador de tu auto con ${brand}: ${address}`
