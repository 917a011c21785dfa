// Example sentences in the language of the model: a relative clause, and a phrase that could be attached in two
// ways. The English ones are parsed right by the shipped model (tests/browser/real.test.ts).
const EXAMPLES: Record<string, string> = {
  ar: "زرع البستاني الشجرة التي اشترتها أخته. رأينا النجوم بالمنظار.",
  ca: "El jardiner va plantar la perera que la seva germana havia comprat. Hem vist les estrelles amb un telescopi.",
  cs: "Zahradník zasadil hrušeň, kterou koupila jeho sestra. Viděli jsme hvězdy dalekohledem.",
  da: "Gartneren plantede pæretræet, som hans søster havde købt. Vi så stjernerne med et teleskop.",
  de: "Die Gärtnerin pflanzte den Birnbaum, den ihr Bruder gekauft hatte. Wir sahen die Sterne mit einem Fernrohr.",
  el: "Ο κηπουρός φύτεψε την αχλαδιά που αγόρασε η αδελφή του. Είδαμε τα αστέρια με τηλεσκόπιο.",
  en: "The gardener planted the pear tree that my sister had given him. My sister saw the gardener with the ladder.",
  es: "La jardinera plantó el peral que su hermano había comprado. Vimos las estrellas con un telescopio.",
  fa: "باغبان درختی را که خواهرش خریده بود کاشت. ما ستاره‌ها را با تلسکوپ دیدیم.",
  fi: "Puutarhuri istutti päärynäpuun, jonka hänen sisarensa oli ostanut. Näimme tähdet kaukoputkella.",
  fr: "La jardinière a planté le poirier que son frère avait acheté. Nous avons vu les étoiles avec un télescope.",
  he: "הגנן נטע את העץ שאחותו קנתה. ראינו את הכוכבים בטלסקופ.",
  hi: "माली ने वह पेड़ लगाया जिसे उसकी बहन ने खरीदा था। हमने दूरबीन से तारे देखे।",
  hu: "A kertész elültette a körtefát, amelyet a nővére vett. Távcsővel láttuk a csillagokat.",
  it: "La giardiniera ha piantato il pero che suo fratello aveva comprato. Abbiamo visto le stelle con un telescopio.",
  ja: "庭師は妹が買った梨の木を植えた。私たちは望遠鏡で星を見た。",
  ko: "정원사는 여동생이 산 배나무를 심었다. 우리는 망원경으로 별을 보았다.",
  nl: "De tuinman plantte de perenboom die zijn zus had gekocht. We zagen de sterren met een telescoop.",
  no: "Gartneren plantet pæretreet som søsteren hans hadde kjøpt. Vi så stjernene med et teleskop.",
  pl: "Ogrodnik posadził gruszę, którą kupiła jego siostra. Widzieliśmy gwiazdy przez teleskop.",
  pt: "A jardineira plantou a pereira que o irmão tinha comprado. Vimos as estrelas com um telescópio.",
  ro: "Grădinarul a plantat părul pe care îl cumpărase sora lui. Am văzut stelele cu un telescop.",
  ru: "Садовник посадил грушу, которую купила его сестра. Мы видели звёзды в телескоп.",
  sv: "Trädgårdsmästaren planterade päronträdet som hans syster hade köpt. Vi såg stjärnorna med ett teleskop.",
  tr: "Bahçıvan, kız kardeşinin aldığı armut ağacını dikti. Yıldızları teleskopla gördük.",
  uk: "Садівник посадив грушу, яку купила його сестра. Ми бачили зорі в телескоп.",
  zh: "园丁种了他妹妹买的梨树。我们用望远镜看星星。",
};

/** "" for a language without one. `language` is a code such as "en" or "nb-NO". */
export function exampleFor(language: string): string {
  const [code = ""] = language.toLowerCase().split(/[-_]/);
  const known = ["nb", "nn"].includes(code) ? "no" : code;
  return Object.hasOwn(EXAMPLES, known) ? (EXAMPLES[known] ?? "") : "";
}

export function isExample(text: string): boolean {
  return Object.values(EXAMPLES).includes(text);
}

/** "German" for "de"; "" where a browser does not know it. */
export function languageName(language: string): string {
  if (!language) return "";
  try {
    const name = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(
      language.replaceAll("_", "-"),
    );
    return name ?? language;
  } catch {
    return language; // no code at all
  }
}
