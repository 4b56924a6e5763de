/** What an address of /signin says of a session that ended by itself, or from elsewhere. */
export const endedParam = 'sesion'
export const endedValue = 'terminada'
