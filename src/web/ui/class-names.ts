/** Joins the class names that hold; false, null and '' are left out. */
export const classNames = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
