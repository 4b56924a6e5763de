/** What goes by itself once it is too old, in days: counted from its last use or from the end of what it was for. */
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
  /** What the bank wrote of money that came in: of what was no payment of ours, and of what was. */
  otherMovements: 365,
  paidMovements: 5 * 366,
  /** The database refuses it earlier. */
  evidence: 5 * 366,
  /** What the tax office may ask for of a deleted customer (Código Fiscal de la Federación, article 30). */
  fiscal: 5 * 366,
} as const
export type Retained = keyof typeof retentionDays
