/** A QR code as the server draws it: one path of unit squares in a square of `size` units. */
export type Qr = { size: number; path: string }

/** A QR code on white, also in the dark: cameras need the contrast. `title` says what it holds. */
export const QrCode = ({ qr, title }: { qr: Qr; title: string }) => (
  <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" className="size-48 rounded-control bg-[white]">
    <title>{title}</title>
    <path d={qr.path} fill="#000" shapeRendering="crispEdges" />
  </svg>
)
