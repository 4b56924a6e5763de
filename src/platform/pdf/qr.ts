import qrcode from 'qrcode-generator'

/** A QR code as one path of unit squares, in a square of `size` units with the quiet zone around it. */
export type QrDrawing = { size: number; path: string }

const quiet = 4

/** Draws a text as a QR code. */
export function drawQr(text: string): QrDrawing {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  let path = ''
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`
  return { size: count + 2 * quiet, path }
}
