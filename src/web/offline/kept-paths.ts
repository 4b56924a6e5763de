const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const paths = new RegExp(`^/admin(?:/appointments-pending(?:/${id})?|/appointments-done/${id})?(?:\\.data)?$`)
const pictures = new RegExp(`^/files/${id}/(?:full|list)$`)

/** Whether a page, or its data, is one that a technician needs on site, where there may be no network. */
export const isKeptPath = (pathname: string): boolean => paths.test(pathname)

/** Whether it is a picture of a visit, which the installer looks at. */
export const isPicture = (pathname: string): boolean => pictures.test(pathname)

/** The address a page is kept under: whatever was searched for, or chosen, on it. */
export const pageKeyOf = (url: string): string => new URL(url).origin + new URL(url).pathname

/** Whether an address shows the whole page: not a part of its data, nor a list that was filtered. A form's section is the same page. */
export const isWholePage = (url: string): boolean =>
  [...new URL(url).searchParams.keys()].every((name) => name === 'seccion')

/** The address of the data of a page. */
export const dataOf = (path: string): string => `${path}.data`
