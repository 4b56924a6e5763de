import { Map as StreetMap, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'

/** West, south, east and north, in degrees. */
type Edges = [number, number, number, number]

/**
 * Lays a street map over an element, fitted to these edges: nothing of it can be pressed or moved. A browser or a server
 * that can't show it leaves the element empty. Returns what takes it away.
 */
export function layTiles(container: HTMLElement, url: string, edges: Edges): () => void {
  setWorkerUrl(workerUrl)
  try {
    const map = new StreetMap({
      container,
      style: {
        version: 8,
        sources: { streets: { type: 'raster', tiles: [url], tileSize: 256, maxzoom: 19 } },
        layers: [{ id: 'streets', type: 'raster', source: 'streets' }],
      },
      bounds: edges,
      fitBoundsOptions: { padding: 0 },
      interactive: false,
      attributionControl: false,
      renderWorldCopies: false,
    })
    // A listener keeps it from writing each tile that is missing to the console.
    map.on('error', () => container.classList.add('is-broken'))
    map.on('resize', () => map.fitBounds(edges, { padding: 0, animate: false }))
    return () => map.remove()
  } catch {
    // Without WebGL.
    container.replaceChildren()
    return () => undefined
  }
}
