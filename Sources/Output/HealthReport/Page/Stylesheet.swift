/// The page's only style sheet.
enum Stylesheet {
  /// What the page's Content-Security-Policy allows: the SHA-256 of `text` and nothing else.
  ///
  /// A browser refuses a sheet of another hash, and a test reckons it again.
  static let hash = "sha256-mWCSzx1pDSEPtRmNS9uW/fiyu/GiD4dRlc2Gco63Oz8="

  static let text: StaticString = """
    :root{color-scheme:light dark;--page:#fff;--card:#f5f7f8;--rule:#d9dfe3;--ink:#1a2126;\
    --soft:#55616a;--accent:#0b6b6b;--warn:#8a5200;--bad:#b3261e;\
    --activity:#077e6e;--heart:#7d1a12;--sleep:#28338a;--body:#866a06;--nutrition:#b01fc6;\
    --core:#5560b8;--rem:#8a93d6;--awake:#c3c8ec}
    @media (prefers-color-scheme:dark){:root{--page:#111619;--card:#1a2126;--rule:#303b42;\
    --ink:#e6ebee;--soft:#a3b0b8;--accent:#5fc9be;--warn:#e3ad55;--bad:#ff8b80;\
    --activity:#4fe39a;--heart:#ec6a86;--sleep:#c4caf2;--body:#e3b73a;--nutrition:#d46cf5;\
    --core:#8b95e0;--rem:#5f69bf;--awake:#474f86}}
    .activity{--accent:var(--activity)}
    .heart{--accent:var(--heart)}
    .sleep{--accent:var(--sleep)}
    .body{--accent:var(--body)}
    .nutrition{--accent:var(--nutrition)}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\
    "Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;\
    font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
    header,main,footer{max-width:1192px;margin:0 auto;padding:0 16px}
    header{padding-top:32px}
    section{margin-top:48px}
    h1,h2,h3,p,ul,dl,dd,figure{margin:0;padding:0}
    h1{font-size:28px;line-height:1.2;font-weight:650}
    h2{font-size:20px;line-height:1.3;font-weight:650;margin-bottom:12px}
    h3{font-size:15px;font-weight:600}
    small,.hint,.gaps,.place{font-size:13px;color:var(--soft)}
    .hint{max-width:130ch}
    .none{color:var(--soft)}
    ul{list-style:none}
    code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
    white-space:pre-wrap;unicode-bidi:isolate}
    .extent,.person{margin-top:4px}
    .extent{color:var(--soft)}
    .person{font-weight:600}
    .course{display:block;width:110px;height:26px;margin-left:auto;overflow:visible}
    .course path{fill:none;stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}
    .averages tbody th[scope=rowgroup]{font-weight:600;padding-top:14px}
    .data tbody th{text-align:left}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,150px),1fr));\
    gap:12px;margin-top:24px}
    .tiles>div,.card{background:var(--card);border-radius:10px;padding:14px 16px}
    dt{font-size:13px;color:var(--soft)}
    .tiles b{display:block;font-size:22px;line-height:1.3;font-weight:650}
    .tiles small{display:block;margin-top:2px}
    .legend{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));\
    gap:4px 24px}
    .legend li{display:grid;grid-template-columns:15px minmax(3.2ch,max-content) 1fr;\
    column-gap:10px;align-items:baseline}
    .legend svg{width:15px;height:15px;margin-top:5px;align-self:start}
    .legend b{text-align:right;font-weight:650}
    .legend small{margin-left:4px}
    .yearname{margin:20px 0 6px}
    .year{display:grid;grid-template-columns:repeat(3,1fr);gap:12px 8px}
    .month figcaption{font-size:13px;color:var(--soft);padding-left:15px}
    .month svg{display:block;width:93px;height:91px}
    .weekday{font-size:10px;fill:var(--soft);display:none}
    .month:nth-child(3n+1) .weekday{display:inline}
    path,rect{fill-rule:evenodd}
    .complete,.partial{fill:var(--accent)}
    .no_data,.missing{fill:var(--soft)}
    .faulty{fill:var(--warn)}
    .invalid{fill:var(--bad)}
    nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin-top:24px;font-size:14px}
    a{color:var(--accent)}
    .year.rolling{grid-template-columns:repeat(3,1fr)}
    .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));\
    gap:12px;grid-auto-flow:dense}
    .last b{font-size:22px;line-height:1.4;font-weight:650}
    .chart{display:block;width:calc(100% - 50px);height:150px;margin:4px 0 0 50px;overflow:visible}
    .plot{overflow:visible}
    .chart text{font-size:11px;fill:var(--soft)}
    .level{text-anchor:end}
    .day{text-anchor:middle}
    .chart path,.key path{fill:none;stroke-linecap:round;stroke-linejoin:round;\
    vector-effect:non-scaling-stroke}
    .grid{stroke:var(--rule);stroke-width:1}
    .s0{stroke:var(--accent)}
    .s1{stroke:var(--soft)}
    .s2{stroke:var(--ink)}
    .sleep .s1{stroke:var(--core)}
    .sleep .s2{stroke:var(--rem)}
    .sleep .s3{stroke:var(--awake)}
    .chart .band,.key .band{fill:var(--accent);opacity:.25;stroke:none}
    .chart .part,.key .part{stroke:var(--accent);stroke-width:1.5;stroke-dasharray:3 2}
    .chart .sofar{stroke:var(--accent);stroke-width:8}
    .chart .hole{stroke:var(--card);stroke-width:4}
    .chart .bar+.week,.chart .bar+.line+.dots+.week{stroke:var(--ink)}
    .line{stroke-width:1;opacity:.5}
    .dots{stroke-width:3.2;opacity:.6}
    .points{stroke-width:4.4}
    .week{stroke-width:2}
    .month30{stroke-width:1.8;stroke-dasharray:1 4;stroke:var(--ink)}
    .long .line,.long .dots{stroke-width:1;opacity:.45}
    .chart .bar{vector-effect:none;stroke-width:.8;stroke-linecap:butt}
    .long .bar{stroke-width:26}
    .dense .bar{stroke-width:1.03!important}
    .key .bar{stroke-width:14;stroke-linecap:butt}
    .doubted{stroke:var(--bad);stroke-width:6;stroke-linecap:square!important}
    .key{display:flex;flex-wrap:wrap;gap:2px 18px;font-size:13px;color:var(--soft);margin-top:4px}
    .key li{display:flex;gap:8px;align-items:baseline}
    .key svg{width:22px;height:10px;flex:none}
    .facts{display:grid;grid-template-columns:1fr 1fr;gap:6px 16px;margin-top:8px}
    .facts dd{font-size:14px}
    .facts small{font-size:12px;white-space:nowrap}
    .compared,.few{overflow-wrap:normal;border-collapse:collapse;width:100%;font-size:13px;\
    margin-top:8px}
    .compared th,.few th{font-weight:400;text-align:left;color:var(--soft);padding:2px 8px 2px 0}
    .compared thead th,.compared td{text-align:right;padding:2px 0 2px 8px}
    .compared thead th{color:var(--ink)}
    .few td{text-align:right}
    .gaps{margin-top:8px}
    .words{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));\
    gap:8px 24px}
    .words dt{font-size:14px;font-weight:600;color:var(--ink)}
    .words dd{font-size:14px}
    .finding{border-left:3px solid var(--rule);padding:2px 0 2px 14px;margin-top:12px}
    .finding.error{border-color:var(--bad)}
    .finding.warning{border-color:var(--warn);border-left-style:dashed}
    .finding.note{border-left-style:dotted;border-color:var(--soft)}
    .finding summary code{font-size:15px;margin:0 6px}
    .finding summary .hint{display:block}
    .severity{font-size:13px}
    .damage{color:var(--bad);margin-top:8px}
    .error .severity{color:var(--bad)}
    .warning .severity{color:var(--warn)}
    .note .severity{color:var(--soft)}
    .finding ul{display:grid;gap:8px 24px;margin-top:8px;font-size:14px;\
    grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr))}
    .finding .runs{grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:2px 24px}
    .finding p+.remedy,.runs+.remedy{margin-top:2px}
    .remedy{font-size:14px}
    .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));\
    gap:24px}
    .bars{border-collapse:collapse;width:100%;font-size:14px;margin-top:6px}
    .bars th{font-weight:400;text-align:left;white-space:nowrap;width:1%;padding-right:12px}
    .bars td{white-space:nowrap;width:1%}
    .bars .bar{width:98%;padding-right:12px}
    .bars svg{display:block;width:100%;height:10px}
    .origins li{display:flex;justify-content:space-between;gap:12px;align-items:baseline;\
    padding:4px 0;border-bottom:1px solid var(--rule);font-size:14px}
    .origins small{white-space:nowrap}
    .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    summary{cursor:pointer}
    .scroll{overflow-x:auto;margin-top:12px}
    :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
    .data{border-collapse:collapse;font-size:13px;overflow-wrap:normal}
    .data caption{text-align:left;color:var(--soft);padding-bottom:6px}
    .data th,.data td{padding:4px 12px 4px 0;text-align:right;white-space:nowrap;\
    border-bottom:1px solid var(--rule);font-weight:400}
    .data thead th{font-weight:600;vertical-align:bottom;white-space:normal;min-width:9ch}
    .data th:first-child{text-align:left}
    footer{margin-top:56px;padding-bottom:32px;font-size:13px;color:var(--soft)}
    @media (min-width:730px){.wide{grid-column:span 2}}
    @media (min-width:600px){.year,.year.rolling{grid-template-columns:repeat(6,1fr)}\
    .month:nth-child(n) .weekday{display:none}.month:nth-child(6n+1) .weekday{display:inline}\
    header,main,footer{padding-left:24px;padding-right:24px}}
    @media (min-width:1180px){.year{grid-template-columns:repeat(12,1fr);gap:0}\
    .year.rolling{grid-template-columns:repeat(13,1fr)}.rolling .month svg{width:100%;height:auto}\
    .year.rolling>.month{grid-column:auto}\
    .month:nth-child(n) .weekday{display:none}.month:first-child .weekday{display:inline}\
    .m2{grid-column:2}.m3{grid-column:3}.m4{grid-column:4}.m5{grid-column:5}.m6{grid-column:6}\
    .m7{grid-column:7}.m8{grid-column:8}.m9{grid-column:9}.m10{grid-column:10}\
    .m11{grid-column:11}.m12{grid-column:12}}
    @media (forced-colors:active){:root{--page:Canvas;--card:Canvas;--rule:GrayText;\
    --ink:CanvasText;--soft:CanvasText;--accent:CanvasText;--warn:CanvasText;--bad:CanvasText;\
    --activity:CanvasText;--heart:CanvasText;--sleep:CanvasText;--body:CanvasText;\
    --nutrition:CanvasText;--core:GrayText;--rem:LinkText;--awake:Highlight}\
    .tiles>div,.card{border:1px solid}a{color:LinkText}.chart path,.key path,.course path{opacity:1}\
    .chart .band,.key .band{fill:none;stroke:CanvasText;stroke-width:1;opacity:1}\
    .chart .grid{stroke-dasharray:1 4}.chart .bar.s0:has(~.week){stroke:GrayText}}
    @page{margin:16mm 14mm;@top-left{content:"Health data";font:9pt sans-serif;color:#555}\
    @top-right{font:9pt sans-serif;color:#555}@bottom-right{content:"page " counter(page) " of " counter(pages);font:9pt sans-serif;\
    color:#555}}
    @media print{:root{--page:#fff;--card:#fff;--rule:#999;--ink:#000;--soft:#333;--accent:#444;\
    --warn:#000;--bad:#000;--activity:#444;--heart:#444;--sleep:#444;\
    --body:#444;--nutrition:#444;--core:#777;--rem:#aaa;--awake:#ccc}\
    body{font-size:11pt}header,header,main,footer{max-width:none;padding:0}\
    section{margin-top:28px}.tiles>div,.card{border:1px solid #999}\
    .tiles>div,.card,.month,.finding li{break-inside:avoid}h2,h3,.hint{break-after:avoid}\
    details:not([open])>:not(summary){display:none}nav{display:none}\
    main{zoom:.76}.grid{stroke:#ccc}\
    section:has(>details):not(:has(>details[open])){display:none}.tiles,footer{zoom:.8}\
    .cards{grid-template-columns:repeat(3,1fr)}.words>div{break-inside:avoid}\
    .scroll{overflow:visible}.doctor .cards{grid-template-columns:repeat(2,1fr)}\
    .doctor .columns{grid-template-columns:repeat(4,1fr);gap:16px}summary{break-after:avoid}\
    .doctor section[aria-labelledby=metrics],.doctor .appendix{break-before:page}\
    .data tr,.few tr{break-inside:avoid}thead{display:table-header-group}\
    .data th,.data td{padding:1px 10px 1px 0}.averages th,.averages td{padding:4px 12px 4px 0}\
    .compared th,.few th,.compared td,.few td{padding-top:0;padding-bottom:0}\
    details .scroll:not(:has(th:nth-child(6))){columns:2}\
    details .scroll:not(:has(th:nth-child(4))){columns:3}.scroll caption{break-after:avoid}}
    """
}
