/** Consents: the terms with the privacy notice, WhatsApp notifications, marketing by e-mail. */
export const consentLabels = {
  terms: 'Términos y aviso de privacidad',
  whatsapp: 'Avisos por WhatsApp',
  news: 'Novedades por correo',
} as const
export type ConsentKind = keyof typeof consentLabels

/** Where the consent was given. */
export const consentSources = {
  signup: 'Al crear tu cuenta',
  provider: 'Al entrar con otro servicio',
  recovery: 'Al crear tu contraseña',
  completion: 'Al completar tu perfil',
  home: 'En tu página de inicio',
  account: 'En Mi cuenta',
  whatsapp: 'Por WhatsApp',
  deletion: 'Al eliminar tu cuenta',
  take_over: 'Al abrirte por teléfono una cuenta que otra persona creó con tu correo',
  before: 'Antes de llevar este registro',
} as const
export type ConsentSource = keyof typeof consentSources

/** Whether and why a user is asked to accept the terms: never accepted (imported accounts), or the text changed. Access is not restricted meanwhile. */
export function asksForTerms(agreed: string | null, inForce: string): 'first' | 'changed' | null {
  if (agreed === null) return 'first'
  return agreed === inForce ? null : 'changed'
}
