/** The page of results, which also answers without JavaScript; with `.json` for the palette. */
export const searchPath = '/admin/buscar'
