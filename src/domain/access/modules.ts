/** Parts of the product that stay switched off, and their menu items disabled, unless MODULES names them. */
export const modules = ['gesties', 'clients', 'payments'] as const
export type Module = (typeof modules)[number]
export type Modules = ReadonlySet<Module>

/** As the specification has them. */
export const noModules: Modules = new Set()
