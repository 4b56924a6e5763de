/** Where the columns of a file that was handed in are confirmed. */
export const statementPath = (id: string) => `/admin/payments?parte=banco&archivo=${id}`
