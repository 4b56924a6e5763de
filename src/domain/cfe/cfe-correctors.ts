/** Who corrects what CFE observed, as the form offers it. */
export const correctorOptions = [
  { value: 'customer', label: 'El cliente' },
  { value: 'gester', label: 'Nosotros' },
] as const
