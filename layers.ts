/** The layers of src: rules know nothing of the other two, the server nothing of screens. */
export type Layer = 'rules' | 'server' | 'screens'

/** The layer of a file, by its path from src. Only rules and screens may reach a browser. */
export function layerOf(given: string): Layer {
  const file = given.replaceAll('\\', '/')
  if (/^(shared|[a-z]+\/rules)\//.test(file)) return 'rules'
  return /^(kit|ui|photos|offline|[a-z]+\/screens)\/|^[^/]+$/.test(file) ? 'screens' : 'server'
}
