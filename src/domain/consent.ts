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
  before: 'Antes de llevar este registro',
} as const
export type ConsentSource = keyof typeof consentSources

/** Whether somebody who agreed to one version of the terms is asked again: the text changed since. Nothing is closed to them meanwhile. */
export const asksForTerms = (agreed: string | null, inForce: string) => agreed !== null && agreed !== inForce
