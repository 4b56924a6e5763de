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
