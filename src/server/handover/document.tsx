import { Document, Font, Page, Path, Rect, Svg, Text, View } from '@react-pdf/renderer'
import { inHelvetica } from './helvetica.ts'
import type { Handover, Row } from './paper.ts'
import { Photos, Signatures } from './pictures.tsx'
import { brandColour, styles } from './styles.ts'

// Spanish words would be cut where English ones are.
Font.registerHyphenationCallback((word) => [word])

/** The document a customer keeps of an installation. */
export const HandoverDocument = ({ paper }: { paper: Handover }) => (
  <Document
    title={inHelvetica(`Entrega de tu cargador ${paper.folio}`)}
    author={inHelvetica(paper.brand)}
    language="es-MX"
  >
    <Page size="LETTER" style={styles.page}>
      <Top {...paper} />
      <Text style={styles.title}>Entrega de tu cargador</Text>
      <Text style={styles.subtitle}>{inHelvetica(`Instalado el ${paper.day}`)}</Text>
      {paper.warranty && <Warranty until={paper.warranty} />}
      <View style={styles.columns}>
        <Rows title="Cliente y lugar" rows={paper.people} />
        <Rows title="Cargador e instalación" rows={paper.charger} />
      </View>
      <Tests tests={paper.tests} />
      <Rows title="Lo que confirma tu técnico" rows={paper.walkthrough} />
      <Signatures signatures={paper.signatures} />
      <Photos photos={paper.photos} />
      <Faults lines={paper.faults} />
      <Foot {...paper} />
    </Page>
  </Document>
)

const Top = ({ brand, folio }: Handover) => (
  <View style={styles.top}>
    <View style={styles.brand}>
      <Svg viewBox="0 0 32 32" style={{ width: 22, height: 22 }}>
        <Rect width="32" height="32" rx="9" fill={brandColour} />
        <Path d="M6.5 15.2 16 7l9.5 8.2M9.5 13v10.5h13V13" fill="none" strokeWidth={2.2} stroke="#fff" />
        <Path d="m17 12.5-4 5.5h2.6l-.8 4 4.2-5.7h-2.7z" fill="#fff" />
      </Svg>
      <Text style={styles.brandName}>{inHelvetica(brand)}</Text>
    </View>
    <Text style={styles.folio}>{`Folio ${folio}`}</Text>
  </View>
)

const Warranty = ({ until }: { until: string }) => (
  <View style={styles.warranty} wrap={false}>
    <Text>Tu garantía vale hasta el</Text>
    <Text style={styles.warrantyDay}>{inHelvetica(until)}</Text>
  </View>
)

const Rows = ({ title, rows }: { title: string; rows: readonly Row[] }) => (
  <View style={[styles.section, styles.column]}>
    <Text style={styles.heading}>{title}</Text>
    {rows.map(({ label, value }) => (
      <View key={label} style={styles.row} wrap={false}>
        <Text style={styles.label}>{inHelvetica(label)}</Text>
        <Text style={styles.value}>{inHelvetica(value)}</Text>
      </View>
    ))}
  </View>
)

const Tests = ({ tests }: Pick<Handover, 'tests'>) => (
  <View style={styles.section}>
    <Text style={styles.heading}>Pruebas</Text>
    {tests.map(({ label, limit, value }) => (
      <View key={label} style={styles.row} wrap={false}>
        <Text style={styles.test}>{inHelvetica(label)}</Text>
        <Text style={styles.measured}>{inHelvetica(value)}</Text>
        <Text style={styles.label}>{inHelvetica(limit ?? '')}</Text>
      </View>
    ))}
  </View>
)

const Faults = ({ lines }: { lines: readonly string[] }) => (
  <View style={styles.section} wrap={false}>
    <Text style={styles.heading}>Si algo falla</Text>
    {lines.map((line) => (
      <Text key={line} style={styles.paragraph}>
        {inHelvetica(line)}
      </Text>
    ))}
  </View>
)

const Foot = ({ brand, folio }: Handover) => (
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
