type Graph = {
  getModuleInfo(id: string): {
    importers: readonly string[]
    dynamicImporters: readonly string[]
    isEntry: boolean
  } | null
}

/** Loaded with every page, and behind the sign-in. */
const everywhere = /\/src\/(root|entry\.client)\.tsx/
const inside = /\/src\/app\/screens\/layouts\/internal\.tsx/
const outside =
  /\/src\/(app\/screens\/layouts\/clean|accounts\/screens\/(signin|signup|recover|completion))\.tsx/

/**
 * Which modules travel together (decision 0103). Left alone, whatever is shared by the same screens is a file of its
 * own: seventy for a page, most below a kilobyte, and each compressed by itself.
 */
export const chunks = [
  // Changes with an update of the framework only, and stays in people's browsers until then.
  { name: 'framework', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 2 },
  // On its own: mixed with what every screen needs, each would load the validator.
  { name: 'zod', test: /node_modules\/zod\//, priority: 2 },
  // Those of fewer screens stay with them.
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 8, priority: 2 },
  { name: byReach },
  { name: 'screens', minShareCount: 30 },
]

function byReach(id: string, graph: Graph): string | null {
  // What begins to run by being loaded stays where it is asked for: the page is taken over once all of it is there.
  if (/\.css(\?|$)/.test(id) || graph.getModuleInfo(id)?.isEntry) return null
  // By way of their package's index all of them look as if every page needed them.
  if (id.includes('/lucide-react/')) return null
  const roots = rootsOf(id, graph)
  const reached = (from: RegExp) => roots.some((root) => from.test(root))
  if (reached(everywhere)) return 'base'
  if (reached(inside)) return reached(outside) ? 'base' : 'frame'
  return null
}

/** The screens, and the pieces fetched later, that bring a module along. */
function rootsOf(id: string, graph: Graph): string[] {
  const seen = new Set([id])
  const roots: string[] = []
  for (const one of seen) {
    const module = graph.getModuleInfo(one)
    if (!module) continue
    if (module.isEntry || module.dynamicImporters.length > 0) roots.push(one)
    for (const importer of module.importers) seen.add(importer)
  }
  return roots
}
