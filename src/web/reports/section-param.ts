// Apart from what a sheet asks for: the frame around every screen reads it.
/** The search parameter that names the section shown. */
export const sectionParam = 'seccion'
/** The search parameter that names the answer being put right: the form opens in its place without JavaScript too. */
export const correctParam = 'corregir'
