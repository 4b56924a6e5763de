/** Whether a text is an id at all: asked before the database is, for which any other text is an error. */
export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
