/** What somebody agrees to: the terms with the privacy notice, notices by WhatsApp, news by mail. */
export const consentLabels = {
  terms: 'Términos y aviso de privacidad',
  whatsapp: 'Avisos por WhatsApp',
  news: 'Novedades por correo',
} as const
export type ConsentKind = keyof typeof consentLabels

/** Where it was said. */
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

/** Whether and why somebody is asked for the terms: they agreed to none yet (they came from another system), or the text changed since. Nothing is closed to them meanwhile. */
export function asksForTerms(agreed: string | null, inForce: string): 'first' | 'changed' | null {
  if (agreed === null) return 'first'
  return agreed === inForce ? null : 'changed'
}
