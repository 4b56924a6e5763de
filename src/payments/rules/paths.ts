/** The account of a project, from the page of its customer, to which it leads back. */
export const customersAccountPath = (projectId: string) =>
  `/admin/cotizations/cobros/${projectId}?${fromCustomer}`

/** What the address of an account says then. */
export const fromCustomer = 'de=cliente'
