import { createRequire } from 'node:module'
import { Document, Font, Page, Path, Rect, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import type { Row } from './paper.ts'
import { as, leadsTo, moreOfTable } from './tagged.ts'

/** Embedded, with all the signs of our texts: a PDF's own fonts have neither "Ω" nor "≥", and each reader draws its own. */
const require = createRequire(import.meta.url)
Font.register({
  family: 'Inter',
  fonts: [
    { src: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), fontWeight: 400 },
    { src: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'), fontWeight: 600 },
  ],
})

/** What the font draws: an emoji or another script would be an empty box. */
const drawn =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\p{N}\p{Sc}\p{Sm}\p{So}\p{Sk}\p{M}\p{Zs}]/u
const isDrawn = (sign: string) => drawn.test(sign) && !/\p{Extended_Pictographic}/u.test(sign)

/** A text in the signs that the document's font has; "?" stands for any other. No line begins with a unit, nor with "m." of "p. m.". */
export const printable = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[^\S\u00a0]/g, ' ')
      .replace(/(?<=\b[ap]\.) (?=m\.)/g, '\u00a0')
      .replace(/(?<=\d) (?=(kW|mm|m|A|V|Ω|MΩ|%)(?![\p{L}\d]))/gu, '\u00a0'),
  ]
    .map((sign) => (isDrawn(sign) ? sign : '?'))
    .join('')

/** A text in parts: a word that is longer than its column goes on below, or it would leave the page. */
function fitting(text: string, most: number): string[] {
  const parts = ['']
  for (const word of printable(text).split(' ')) {
    if (word.length > most) parts.push(...piecesOf(word, most), '')
    else parts.push(`${parts.pop()} ${word}`.trim())
  }
  return parts.filter(Boolean)
}

const piecesOf = (word: string, most: number) =>
  word
    .split(/(?<=@)/)
    .flatMap((part) =>
      Array.from({ length: Math.ceil(part.length / most) }, (_, n) => part.slice(n * most, (n + 1) * most)),
    )

/** The colours of papers. */
export const ink = '#16201d'
export const mute = '#566460'
export const line = '#d5dcd9'
export const brandColour = '#0b7a5b'
export const soft = '#e4f4ee'

/** Points: a letter page is 612 × 792. */
export const styles = StyleSheet.create({
  page: {
    paddingTop: 40,
    paddingHorizontal: 44,
    paddingBottom: 56,
    fontFamily: 'Inter',
    fontSize: 9.5,
    lineHeight: 1.35,
    color: ink,
  },
  top: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 14 },
  brand: { flexDirection: 'row', alignItems: 'center', gap: 7 },
  brandName: { fontWeight: 600, fontSize: 12 },
  folio: { color: mute },
  title: { fontWeight: 600, fontSize: 20, lineHeight: 1.2, marginBottom: 3 },
  subtitle: { color: mute, marginBottom: 14 },
  heading: { fontWeight: 600, fontSize: 11, marginBottom: 5 },
  section: { marginBottom: 11 },
  columns: { flexDirection: 'row', gap: 24 },
  column: { flex: 1 },
  // Of one width: the font sets "." so close to "1" and "7" that an amount seems to have none.
  digits: { fontFeatureSettings: ['tnum'] },
  row: {
    flexDirection: 'row',
    gap: 8,
    paddingVertical: 2.5,
    borderTopWidth: 0.6,
    borderTopColor: line,
  },
  label: { width: '42%', color: mute },
  value: { flex: 1 },
  link: { color: brandColour, textDecoration: 'underline' },
  test: { width: '30%', color: mute },
  measured: { width: '20%' },
  passed: { width: '14%', color: brandColour },
  failed: { width: '14%', color: '#b3261e', fontWeight: 600 },
  subheading: { fontWeight: 600, fontSize: 9.5, marginTop: 6, marginBottom: 3 },
  what: { flex: 1 },
  figure: { width: 84, textAlign: 'right', fontFeatureSettings: ['tnum'] },
  day: { width: 58, color: mute },
  state: { width: 62, color: mute },
  sum: { flexDirection: 'row', gap: 8, paddingVertical: 2.5, borderTopWidth: 0.6, borderTopColor: line },
  amount: { width: 110, textAlign: 'right', fontFeatureSettings: ['tnum'] },
  strong: { fontWeight: 600 },
  // No margin: where an option fits and its margin does not, the library moves the whole of it to the next page.
  option: { paddingBottom: 18 },
  sums: { marginLeft: '42%' },
  apart: {
    marginTop: 8,
    paddingHorizontal: 8,
    paddingBottom: 4,
    backgroundColor: '#f4f7f6',
    borderRadius: 4,
  },
  outstanding: {
    backgroundColor: soft,
    borderRadius: 6,
    padding: 10,
    marginBottom: 14,
    flexDirection: 'row',
    gap: 16,
    alignItems: 'center',
  },
  outstandingValue: {
    fontWeight: 600,
    fontSize: 11,
    color: brandColour,
    textAlign: 'right',
    maxWidth: '60%',
    fontFeatureSettings: ['tnum'],
  },
  grid: { flexDirection: 'row', flexWrap: 'wrap', gap: 12 },
  picture: { width: 166 },
  frame: {
    height: 122,
    borderRadius: 4,
    backgroundColor: '#eff3f1',
    marginBottom: 3,
    justifyContent: 'center',
    alignItems: 'center',
    overflow: 'hidden',
  },
  image: { width: '100%', height: '100%', objectFit: 'contain' },
  caption: { fontWeight: 600, fontSize: 8.5 },
  small: { fontSize: 7.5, color: mute },
  hash: { fontSize: 6.2, lineHeight: 1.3, color: mute },
  signature: { flex: 1 },
  // Room to write by hand.
  toFill: { fontSize: 8.5, marginTop: 16 },
  signed: { height: 58, borderBottomWidth: 0.8, borderBottomColor: ink, marginBottom: 3 },
  paragraph: { marginBottom: 4 },
  code: { width: 84, height: 84 },
  // What a page leaves below its title.
  whole: { height: 590 },
  // Of another's page, which brings its own margins.
  sheet: { fontFamily: 'Inter', color: ink },
  // Positioned from the top, and each separately: from the bottom, or in a row, the library places them below the page.
  foot: { position: 'absolute', left: 44, top: 750, fontSize: 7.5, lineHeight: 1, color: mute },
  pageNumber: {
    fontFamily: 'Inter',
    position: 'absolute',
    right: 44,
    width: 120,
    textAlign: 'right',
    fontSize: 7.5,
    lineHeight: 1,
    color: mute,
  },
})

// The default would hyphenate Spanish words by English rules.
Font.registerHyphenationCallback((word) => [word])

type FrameProps = {
  brand: string
  folio: string
  title: string
  subtitle: string
  children: ReactNode
}

/** The frame of every document: the brand, its folio, its title, and page numbers. */
export const Frame = (props: FrameProps) => (
  <Bound {...props}>
    <PaperSheet {...props} />
  </Bound>
)

/** Several sheets in one document. */
export const Bound = ({ brand, folio, title, children }: Omit<FrameProps, 'subtitle'>) => (
  <Document title={printable(`${title} ${folio}`)} author={printable(brand)} language="es-MX">
    {children}
  </Document>
)

/** What begins on a page of its own, with its title. */
export const PaperSheet = ({ brand, folio, title, subtitle, children }: FrameProps) => (
  <Page size="LETTER" style={styles.page}>
    <Top brand={brand} folio={folio} />
    <Text {...as('H1')} style={styles.title}>
      {printable(title)}
    </Text>
    <Text style={styles.subtitle}>{printable(subtitle)}</Text>
    {children}
    <Foot brand={brand} folio={folio} />
  </Page>
)

type Named = Pick<FrameProps, 'brand' | 'folio'>

const Top = ({ brand, folio }: Named) => (
  <View style={styles.top}>
    <View style={styles.brand}>
      <PaperMark />
      <Text style={styles.brandName}>{printable(brand)}</Text>
    </View>
    <Text style={styles.folio}>{printable(`Folio ${folio}`)}</Text>
  </View>
)

/** The logo: a house with a bolt. */
export const PaperMark = () => (
  <Svg viewBox="0 0 32 32" style={{ width: 22, height: 22 }}>
    <Rect width="32" height="32" rx="9" fill={brandColour} />
    <Path d="M6.5 15.2 16 7l9.5 8.2M9.5 13v10.5h13V13" fill="none" strokeWidth={2.2} stroke="#fff" />
    <Path d="m17 12.5-4 5.5h2.6l-.8 4 4.2-5.7h-2.7z" fill="#fff" />
  </Svg>
)

const Foot = ({ brand, folio }: Named) => (
  <>
    <Text {...as('Artifact')} style={styles.foot} fixed>
      {printable(`${brand}, ${folio}`)}
    </Text>
    <PageNumber top={750} />
  </>
)

/** At the foot of a page, so many points from its top. */
export const PageNumber = ({ top }: { top: number }) => (
  <Text
    {...as('Artifact')}
    style={[styles.pageNumber, { top }]}
    render={({ pageNumber, totalPages }) => `Página ${pageNumber} de ${totalPages}`}
    fixed
  />
)

/** A highlighted value of a document: a day, or an amount. */
export const Outstanding = ({ label, value }: Row) => (
  <View style={styles.outstanding} wrap={false}>
    <Text style={styles.what}>{printable(label)}</Text>
    <Text style={styles.outstandingValue}>{printable(value)}</Text>
  </View>
)

/** `beside`: it shares a row's width with another; alone it is as high as its rows. */
type RowsProps = { title: string; rows: readonly (Row & { link?: string | null })[]; beside?: boolean }

/**
 * Labelled facts, whose heading is never left alone at the end of a page. A fact that has a link leads there.
 */
export const FactRows = ({ title, rows, beside = false }: RowsProps) => (
  <View style={beside ? [styles.section, styles.column] : styles.section}>
    <View wrap={false}>
      <Text {...as('H2')} style={styles.heading}>
        {printable(title)}
      </Text>
      <View {...as('Table')}>
        <Facts rows={rows.slice(0, 2)} beside={beside} />
      </View>
    </View>
    {rows.length > 2 && (
      <View {...moreOfTable}>
        <Facts rows={rows.slice(2)} beside={beside} />
      </View>
    )}
  </View>
)

const Facts = ({ beside, rows }: Pick<RowsProps, 'beside' | 'rows'>) =>
  rows.map(({ label, link, value }) => (
    <View key={label} {...as('TR')} style={styles.row} wrap={false}>
      <View {...as('TH')} style={styles.label}>
        {fitting(label, beside ? 18 : 36).map((part, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two parts may say the same
          <Text key={nth} {...as('Span')}>
            {part}
          </Text>
        ))}
      </View>
      <View {...as('TD')} style={styles.value}>
        {fitting(value, beside ? 21 : 44).map((part, nth) => (
          <Text
            // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two parts may say the same
            key={nth}
            {...(link ? leadsTo(link) : as('Span'))}
            style={link ? styles.link : /^-?\$/.test(part) ? styles.digits : {}}
          >
            {part}
          </Text>
        ))}
      </View>
    </View>
  ))

/** Sentences under a heading, which is not left alone at the end of a page. */
export const Sentences = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <View style={styles.section}>
    <View wrap={false}>
      <Text {...as('H2')} style={styles.heading}>
        {printable(title)}
      </Text>
      <Paragraphs lines={lines.slice(0, 1)} />
    </View>
    <Paragraphs lines={lines.slice(1)} />
  </View>
)

const Paragraphs = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <Text key={line} style={styles.paragraph}>
      {printable(line)}
    </Text>
  ))
