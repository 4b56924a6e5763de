import { Document, Font, Page, Path, Rect, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { inHelvetica } from './helvetica.ts'
import type { Row } from './paper.ts'
import { brandColour, styles } from './styles.ts'

// Spanish words would be cut where English ones are.
Font.registerHyphenationCallback((word) => [word])

type FrameProps = {
  brand: string
  folio: string
  title: string
  subtitle: string
  children: ReactNode
}

/** The pages of every document: whose it is, its folio, what it is, and its pages counted. */
export const Frame = ({ brand, folio, title, subtitle, children }: FrameProps) => (
  <Document title={inHelvetica(`${title} ${folio}`)} author={inHelvetica(brand)} language="es-MX">
    <Page size="LETTER" style={styles.page}>
      <Top brand={brand} folio={folio} />
      <Text style={styles.title}>{inHelvetica(title)}</Text>
      <Text style={styles.subtitle}>{inHelvetica(subtitle)}</Text>
      {children}
      <Foot brand={brand} folio={folio} />
    </Page>
  </Document>
)

type Named = Pick<FrameProps, 'brand' | 'folio'>

const Top = ({ brand, folio }: Named) => (
  <View style={styles.top}>
    <View style={styles.brand}>
      <BrandMark />
      <Text style={styles.brandName}>{inHelvetica(brand)}</Text>
    </View>
    <Text style={styles.folio}>{inHelvetica(`Folio ${folio}`)}</Text>
  </View>
)

/** The house with its bolt. */
export const BrandMark = () => (
  <Svg viewBox="0 0 32 32" style={{ width: 22, height: 22 }}>
    <Rect width="32" height="32" rx="9" fill={brandColour} />
    <Path d="M6.5 15.2 16 7l9.5 8.2M9.5 13v10.5h13V13" fill="none" strokeWidth={2.2} stroke="#fff" />
    <Path d="m17 12.5-4 5.5h2.6l-.8 4 4.2-5.7h-2.7z" fill="#fff" />
  </Svg>
)

const Foot = ({ brand, folio }: Named) => (
  <>
    <Text style={styles.foot} fixed>
      {inHelvetica(`${brand}, ${folio}`)}
    </Text>
    <Text
      style={styles.pageNumber}
      render={({ pageNumber, totalPages }) => `Página ${pageNumber} de ${totalPages}`}
      fixed
    />
  </>
)

/** What stands out of a document: a day, or an amount. */
export const Outstanding = ({ label, value }: Row) => (
  <View style={styles.outstanding} wrap={false}>
    <Text>{inHelvetica(label)}</Text>
    <Text style={styles.outstandingValue}>{inHelvetica(value)}</Text>
  </View>
)

/** `beside`: it stands in a row with another, whose width it shares; alone it is as high as its rows. */
type RowsProps = { title: string; rows: readonly Row[]; beside?: boolean }

/** Facts, each with its label. */
export const Rows = ({ title, rows, beside = false }: RowsProps) => (
  <View style={beside ? [styles.section, styles.column] : styles.section}>
    <Text style={styles.heading}>{inHelvetica(title)}</Text>
    {rows.map(({ label, value }) => (
      <View key={label} style={styles.row} wrap={false}>
        <Text style={styles.label}>{inHelvetica(label)}</Text>
        <Text style={styles.value}>{inHelvetica(value)}</Text>
      </View>
    ))}
  </View>
)

/** Sentences under a heading. */
export const Sentences = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <View style={styles.section} wrap={false}>
    <Text style={styles.heading}>{inHelvetica(title)}</Text>
    {lines.map((line) => (
      <Text key={line} style={styles.paragraph}>
        {inHelvetica(line)}
      </Text>
    ))}
  </View>
)
