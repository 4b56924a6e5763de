declare module 'heic-decode' {
  type Pixels = { width: number; height: number; data: Uint8ClampedArray }
  type Found = { width: number; height: number; decode: () => Promise<Pixels> }
  const decode: { all: (wish: { buffer: Uint8Array }) => Promise<Found[] & { dispose: () => void }> }
  export default decode
}
