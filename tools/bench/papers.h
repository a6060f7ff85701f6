// SPDX-License-Identifier: MIT
// The two papers whose tables `table1` and `table2` measure against, and what they measured on.
#ifndef TLW_TOOLS_BENCH_PAPERS_H
#define TLW_TOOLS_BENCH_PAPERS_H

// N. Iwamoto, H. P. H. Shum, L. Yang, S. Morishima: Multi-layer Lattice Model for Real-Time Dynamic
// Character Deformation. Computer Graphics Forum 34 (7), 2015. Table 1: milliseconds per frame,
// mesh drawing excluded; section 7 names the CPU.
#define TLW_PAPER_TABLE1_CPU "3.4 GHz Intel Core i7-3770"

// C.-H. Chen, M.-H. Tsai, I-C. Lin, P.-H. Lu: Skeleton-driven surface deformation through lattices
// for real-time character animation. The Visual Computer 29 (4), 241-251, 2013. Table 1: frames per
// second on a laptop and a desktop, drawing included; the figures here are the desktop's.
#define TLW_PAPER_TABLE2_CPU "Intel Core 2 Quad Q6600"

#endif
