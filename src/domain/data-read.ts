/** What the staff may read of somebody that leaves a row for each look. */
export const readLabels = {
  fiscal: 'Datos fiscales',
  constancia: 'Constancia de Situación Fiscal',
  invoices: 'Facturas de un proyecto',
  invoice_file: 'Archivo de una factura',
  invoice_request: 'Solicitud de una factura',
  blocked: 'Cuenta bloqueada',
} as const
export type ReadOf = keyof typeof readLabels
