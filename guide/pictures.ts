import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { finishedScene } from '../seeds/scenes.ts'

/** Draws what the product shows of itself outside its pages: icons, the card of a shared link, the finished work. */
export async function drawPictures() {
  const mark = await readFile('public/favicon.svg', 'utf8')
  const scene = Buffer.from(finishedScene())
  const icon = (svg: string, side: number, file: string) =>
    sharp(Buffer.from(svg), { density: 72 * (side / 32) })
      .resize(side, side)
      .png({ palette: true })
      .toFile(`public/icons/${file}`)
  await Promise.all([
    icon(mark, 192, 'icon-192.png'),
    icon(mark, 512, 'icon-512.png'),
    icon(bleeding(mark, 0.72), 512, 'maskable-512.png'),
    icon(bleeding(mark, 0.86), 180, 'apple-touch-icon.png'),
    icon(badge(mark), 96, 'badge-96.png'),
    sharp(scene)
      .resize(1200, 630, { position: 'centre' })
      .jpeg({ quality: 82, mozjpeg: true })
      .toFile('public/icons/card.jpg'),
    sharp(scene).resize(960).webp({ quality: 74, effort: 6 }).toFile('public/icons/finished.webp'),
  ])
}

/** The mark on a square without corners, which the phone cuts to its own shape. */
function bleeding(svg: string, scale: number): string {
  const inner = 16 - 16 * scale
  return svg
    .replace('rx="9" ', '')
    .replace(
      /(<path.*\/>)<\/svg>/,
      `<g transform="translate(${inner} ${inner}) scale(${scale})">$1</g></svg>`,
    )
}

/** The mark alone in white: phones draw it in their own colour beside a notice. */
const badge = (svg: string): string => svg.replace(/<rect[^>]*\/>/, '')
