import { createRequire } from 'node:module'
import { Document, Font, Page, Path, Rect, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import type { CodeCardPaper, Row } from './paper.ts'
import { as, leadsTo } from './tagged.ts'

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

/** A text in the signs that the document's font has; "?" stands for any other. */
export const printable = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/\p{Cf}/gu, '')
      .replace(/\s/g, ' '),
  ]
    .map((sign) => (isDrawn(sign) ? sign : '?'))
    .join('')

const [ink, mute, line, brandColour, soft] = ['#16201d', '#566460', '#d5dcd9', '#0b7a5b', '#e4f4ee'] as const

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
  figure: { width: 84, textAlign: 'right' },
  day: { width: 58, color: mute },
  state: { width: 62, color: mute },
  sum: { flexDirection: 'row', gap: 8, paddingVertical: 2.5, borderTopWidth: 0.6, borderTopColor: line },
  amount: { width: 110, textAlign: 'right' },
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
    justifyContent: 'space-between',
    alignItems: 'center',
  },
  outstandingValue: { fontWeight: 600, fontSize: 11, color: brandColour },
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
      <BrandMark />
      <Text style={styles.brandName}>{printable(brand)}</Text>
    </View>
    <Text style={styles.folio}>{printable(`Folio ${folio}`)}</Text>
  </View>
)

/** The logo: a house with a bolt. */
const BrandMark = () => (
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
    <Text>{printable(label)}</Text>
    <Text style={styles.outstandingValue}>{printable(value)}</Text>
  </View>
)

/** `beside`: it shares a row's width with another; alone it is as high as its rows. */
type RowsProps = { title: string; rows: readonly (Row & { link?: string | null })[]; beside?: boolean }

/** Labelled facts. A fact that has a link leads there. */
export const FactRows = ({ title, rows, beside = false }: RowsProps) => (
  <View style={beside ? [styles.section, styles.column] : styles.section}>
    <Text {...as('H2')} style={styles.heading}>
      {printable(title)}
    </Text>
    <View {...as('Table')}>
      {rows.map(({ label, link, value }) => (
        <View key={label} {...as('TR')} style={styles.row} wrap={false}>
          <Text {...as('TH')} style={styles.label}>
            {printable(label)}
          </Text>
          {link ? (
            <View {...as('TD')} style={styles.value}>
              <Text {...leadsTo(link)} style={styles.link}>
                {printable(value)}
              </Text>
            </View>
          ) : (
            <Text {...as('TD')} style={styles.value}>
              {printable(value)}
            </Text>
          )}
        </View>
      ))}
    </View>
  </View>
)

/** Sentences under a heading. */
export const Sentences = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <View style={styles.section} wrap={false}>
    <Text {...as('H2')} style={styles.heading}>
      {printable(title)}
    </Text>
    {lines.map((line) => (
      <Text key={line} style={styles.paragraph}>
        {printable(line)}
      </Text>
    ))}
  </View>
)

const steps = [
  'Escanea el código con la cámara de tu teléfono.',
  'Crea tu cuenta y agenda tu visita técnica.',
  'Recibe tu cotización y acéptala en línea.',
]

const cardStyles = StyleSheet.create({
  page: { padding: 30, fontFamily: 'Inter', fontSize: 11, lineHeight: 1.35, color: ink },
  top: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 18 },
  brand: { flexDirection: 'row', alignItems: 'center', gap: 7 },
  brandName: { fontWeight: 600, fontSize: 12 },
  agency: { color: mute, maxWidth: 170, textAlign: 'right' },
  title: { fontWeight: 600, fontSize: 23, lineHeight: 1.15, textAlign: 'center' },
  benefit: {
    fontWeight: 600,
    fontSize: 14,
    lineHeight: 1.25,
    textAlign: 'center',
    color: brandColour,
    backgroundColor: soft,
    borderRadius: 8,
    padding: 9,
    marginTop: 12,
  },
  drawing: { alignSelf: 'center', width: 190, height: 190, marginTop: 10 },
  said: { textAlign: 'center', color: mute },
  code: {
    fontWeight: 600,
    fontSize: 26,
    lineHeight: 1.2,
    letterSpacing: 3,
    textAlign: 'center',
    marginBottom: 14,
  },
  step: { flexDirection: 'row', gap: 8, alignItems: 'center', marginBottom: 5 },
  number: {
    width: 18,
    height: 18,
    borderRadius: 9,
    backgroundColor: brandColour,
    color: '#fff',
    fontWeight: 600,
    fontSize: 10,
    lineHeight: 1,
    textAlign: 'center',
    paddingTop: 4,
  },
  what: { flex: 1 },
  small: { fontSize: 8, lineHeight: 1.35, color: mute, textAlign: 'center', marginTop: 4 },
})

/** A card for the counter, half a letter page: the code's benefit, its QR code, and the next steps. */
export const CodeCardDocument = ({ paper }: { paper: CodeCardPaper }) => {
  const { agency, benefit, brand, folio, link, notes, qr } = paper
  return (
    <Document title={printable(`Código ${folio}`)} author={printable(brand)} language="es-MX">
      <Page size={[396, 612]} style={cardStyles.page}>
        <View style={cardStyles.top}>
          <View style={cardStyles.brand}>
            <BrandMark />
            <Text style={cardStyles.brandName}>{printable(brand)}</Text>
          </View>
          <Text style={cardStyles.agency}>{printable(agency)}</Text>
        </View>
        <View {...as('H1')} style={cardStyles.title}>
          <Text {...as('Span')}>Tu cargador,</Text>
          <Text {...as('Span')}>instalado en tu casa</Text>
        </View>
        {benefit && <Text style={cardStyles.benefit}>{printable(benefit)}</Text>}
        <Svg viewBox={`0 0 ${qr.size} ${qr.size}`} style={cardStyles.drawing}>
          <Rect width={qr.size} height={qr.size} fill="#fff" />
          <Path d={qr.path} fill="#000" />
        </Svg>
        <Text style={cardStyles.said}>{printable('Tu código')}</Text>
        <Text style={cardStyles.code}>{printable(folio)}</Text>
        {steps.map((step, n) => (
          <View key={step} style={cardStyles.step}>
            <Text style={cardStyles.number}>{n + 1}</Text>
            <Text style={cardStyles.what}>{printable(step)}</Text>
          </View>
        ))}
        {[link, ...notes].map((note) => (
          <Text key={note} style={cardStyles.small}>
            {printable(note)}
          </Text>
        ))}
      </Page>
    </Document>
  )
}
