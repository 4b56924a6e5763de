import { Document, Page, Path, Rect, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import { brandColour, ink, mute, PaperMark, printable, soft } from './frame.tsx'
import type { CodeCardPaper } from './paper.ts'
import { as } from './tagged.ts'

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
            <PaperMark />
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
