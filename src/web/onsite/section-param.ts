// Apart from what a sheet asks for: the frame around every screen reads it.
/** The search parameter that names the section shown. */
export const sectionParam = 'seccion'
