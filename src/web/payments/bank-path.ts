import { paymentPartPath } from './office-path.ts'

/** The bank's movements, from the one behind another on. */
export const bankPath = (after?: string) => `${paymentPartPath('banco')}${after ? `&after=${after}` : ''}`
/** Where the columns of a file that was handed in are confirmed. */
export const statementPath = (id: string) => `/admin/payments?parte=banco&archivo=${id}`
