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

/**
 * Retention in days of data that is deleted automatically: counted from its last use or from the end of its purpose.
 */
export const retentionDays = {
  callChats: 365,
  callSittings: 90,
  appointmentNotes: 730,
  historyWords: 730,
  quoteAnswers: 730,
  taskWords: 365,
  photosWithoutInstallation: 365,
  photosOfInstallations: 5 * 365,
  messages: 365,
  letterFiles: 30,
  staffInvitations: 180,
  /** A bank file whose import was not finished. */
  unreadStatements: 1,
  /** The bank's text of incoming money: of movements that were no payment of ours, and of those that were. */
  otherMovements: 365,
  paidMovements: 5 * 366,
  /** The database refuses to delete it earlier. */
  evidence: 5 * 366,
  /** What the tax office may request about a deleted customer (Código Fiscal de la Federación, article 30). */
  fiscal: 5 * 366,
} as const
export type Retained = keyof typeof retentionDays

/** Personal data whose reads by the staff are logged, one row for each read. */
export const readLabels = {
  fiscal: 'Datos fiscales',
  constancia: 'Constancia de Situación Fiscal',
  invoices: 'Facturas de un proyecto',
  invoice_file: 'Archivo de una factura',
  invoice_request: 'Solicitud de una factura',
  blocked: 'Cuenta bloqueada',
} as const
export type ReadOf = keyof typeof readLabels
