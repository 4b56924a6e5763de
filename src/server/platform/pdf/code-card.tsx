import { Document, Page, Path, Rect, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import { BrandMark } from './frame.tsx'
import { inHelvetica } from './helvetica.ts'
import type { CodeCardPaper } from './paper.ts'
import { brandColour, ink, mute, soft } from './styles.ts'

const steps = [
  'Escanea el código con la cámara de tu teléfono.',
  'Crea tu cuenta y agenda tu visita técnica.',
  'Recibe tu cotización y acéptala en línea.',
]

const styles = StyleSheet.create({
  page: { padding: 30, fontFamily: 'Helvetica', fontSize: 11, lineHeight: 1.35, color: ink },
  top: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 18 },
  brand: { flexDirection: 'row', alignItems: 'center', gap: 7 },
  brandName: { fontFamily: 'Helvetica-Bold', fontSize: 12 },
  agency: { color: mute, maxWidth: 170, textAlign: 'right' },
  title: { fontFamily: 'Helvetica-Bold', fontSize: 23, lineHeight: 1.15, textAlign: 'center' },
  benefit: {
    ...{
      fontFamily: 'Helvetica-Bold',
      fontSize: 14,
      lineHeight: 1.25,
      textAlign: 'center',
      color: brandColour,
    },
    ...{ backgroundColor: soft, borderRadius: 8, padding: 9, marginTop: 12 },
  },
  drawing: { alignSelf: 'center', width: 190, height: 190, marginTop: 10 },
  said: { textAlign: 'center', color: mute },
  code: {
    ...{ fontFamily: 'Courier-Bold', fontSize: 26, lineHeight: 1.2, letterSpacing: 3, textAlign: 'center' },
    marginBottom: 14,
  },
  step: { flexDirection: 'row', gap: 8, alignItems: 'center', marginBottom: 5 },
  number: {
    ...{ width: 18, height: 18, borderRadius: 9, backgroundColor: brandColour, color: '#fff' },
    ...{ fontFamily: 'Helvetica-Bold', fontSize: 10, lineHeight: 1, textAlign: 'center', paddingTop: 4 },
  },
  what: { flex: 1 },
  small: { fontSize: 8, lineHeight: 1.35, color: mute, textAlign: 'center', marginTop: 4 },
})

/** A card for the counter, half a letter page: what the code gives, its drawing for a phone's camera, and what comes next. */
export const CodeCardDocument = ({ paper }: { paper: CodeCardPaper }) => {
  const { agency, benefit, brand, folio, link, notes, qr } = paper
  return (
    <Document title={inHelvetica(`Código ${folio}`)} author={inHelvetica(brand)} language="es-MX">
      <Page size={[396, 612]} style={styles.page}>
        <View style={styles.top}>
          <View style={styles.brand}>
            <BrandMark />
            <Text style={styles.brandName}>{inHelvetica(brand)}</Text>
          </View>
          <Text style={styles.agency}>{inHelvetica(agency)}</Text>
        </View>
        <Text style={styles.title}>{inHelvetica('Tu cargador, instalado en tu casa')}</Text>
        {benefit && <Text style={styles.benefit}>{inHelvetica(benefit)}</Text>}
        <Svg viewBox={`0 0 ${qr.size} ${qr.size}`} style={styles.drawing}>
          <Rect width={qr.size} height={qr.size} fill="#fff" />
          <Path d={qr.path} fill="#000" />
        </Svg>
        <Text style={styles.said}>{inHelvetica('Tu código')}</Text>
        <Text style={styles.code}>{inHelvetica(folio)}</Text>
        {steps.map((step, n) => (
          <View key={step} style={styles.step}>
            <Text style={styles.number}>{n + 1}</Text>
            <Text style={styles.what}>{inHelvetica(step)}</Text>
          </View>
        ))}
        {[link, ...notes].map((note) => (
          <Text key={note} style={styles.small}>
            {inHelvetica(note)}
          </Text>
        ))}
      </Page>
    </Document>
  )
}
